import { promisify } from 'node:util';
import { describe, expect, it, test } from 'vitest';
import {
  isLocalAddress,
  LocalAddressError,
  lookupElsewhere,
  refuseLocalUrl,
} from '../../../kube/localAddress.ts';
import { UndiciTransport } from '../../../kube/undiciTransport.ts';

describe('an address of the machine itself', () => {
  test.each([
    '127.0.0.1',
    '127.8.9.10',
    '0.0.0.0',
    '169.254.169.254',
    '::1',
    '::',
    'fe80::1',
    '::ffff:127.0.0.1',
    '::ffff:169.254.169.254',
  ])('%s', (address) => expect(isLocalAddress(address)).toBe(true));

  test.each([
    '10.0.0.1',
    '192.168.1.1',
    '172.16.0.1',
    '203.0.113.7',
    '2001:db8::1',
    'fd00::1',
    '::ffff:10.0.0.1',
    'a.example',
  ])('is not %s', (address) => expect(isLocalAddress(address)).toBe(false));
});

describe('a server that must be elsewhere', () => {
  test.each([
    'https://127.0.0.1:6443',
    'https://[::1]:6443',
    'https://169.254.169.254',
    'http://0x7f.1',
    'http://2130706433',
    'https://[::ffff:7f00:1]:6443',
  ])('is not %s, however that is written', (url) => {
    expect(() => refuseLocalUrl(url)).toThrow(LocalAddressError);
    expect(() => new UndiciTransport({ server: url }, { userAgent: 'test', elsewhere: true })).toThrow(
      LocalAddressError,
    );
  });

  it('is not where a name leads to the machine itself', async () => {
    const find = promisify(lookupElsewhere);
    await expect(find('localhost', {})).rejects.toThrow(/^localhost is (127\.0\.0\.1|::1), a loopback/);
    const transport = new UndiciTransport(
      { server: 'https://localhost:1' },
      { userAgent: 'test', elsewhere: true },
    );
    try {
      await expect(transport.request({ method: 'GET', path: '/version' })).rejects.toThrow(
        'loopback or link-local',
      );
    } finally {
      await transport.close();
    }
  });
});
