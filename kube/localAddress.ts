import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

const LOCAL = new BlockList();
for (const [network, prefix, family] of [
  ['127.0.0.0', 8, 'ipv4'],
  ['0.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['::', 128, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
] as const)
  LOCAL.addSubnet(network, prefix, family);

/** Where a process reaches itself or its machine's own services: loopback, unspecified and link-local addresses. */
export function isLocalAddress(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && LOCAL.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** A connection that was not begun since it would lead to the machine itself. */
export class LocalAddressError extends Error {
  override name = 'LocalAddressError';

  constructor(host: string, address: string) {
    super(
      host === address
        ? `${host} is a loopback or link-local address`
        : `${host} is ${address}, a loopback or link-local address`,
    );
  }
}

/** @throws LocalAddressError where a URL names such an address itself */
export function refuseLocalUrl(url: string): void {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  if (isLocalAddress(host)) throw new LocalAddressError(host, host);
}

/** As dns.lookup, and fails where the name leads to such an address: it may lead elsewhere when it is asked again. */
export const lookupElsewhere: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) {
      callback(error, []);
      return;
    }
    const local = addresses.find(({ address }) => isLocalAddress(address));
    const [first] = addresses;
    if (local !== undefined) callback(new LocalAddressError(hostname, local.address), []);
    else if (first === undefined) callback(new Error(`${hostname} has no address`), []);
    else if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};
