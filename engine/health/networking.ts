import { healthy, healthyByItself, progressing } from './assessment.ts';
import type { Fields } from './fields.ts';
import type { Judge } from './subject.ts';

/** Whether it has endpoints is its workload's affair: only an address from outside is waited for. */
export const service: Judge = ({ spec, status }) => {
  if (spec.text('type') !== 'LoadBalancer') return healthyByItself('there');
  const addresses = addressesOf(status);
  return addresses.length === 0
    ? progressing('waiting for the address of the load balancer')
    : healthy(`address ${addresses.join(', ')}`);
};

/** Many controllers never write an address, so that there is none says nothing. */
export const ingress: Judge = ({ status }) => {
  const addresses = addressesOf(status);
  return healthyByItself(
    addresses.length === 0 ? 'there, no address yet' : `address ${addresses.join(', ')}`,
  );
};

function addressesOf(status: Fields): string[] {
  return status
    .map('loadBalancer')
    .list('ingress')
    .map((entry) => entry.text('ip') || entry.text('hostname'))
    .filter((address) => address !== '');
}
