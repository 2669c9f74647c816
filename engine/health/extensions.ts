import { degraded, healthy, progressing } from './assessment.ts';
import { conditionOf, explain, isTrue } from './conditions.ts';
import type { Judge } from './subject.ts';

export const customResourceDefinition: Judge = ({ status }) => {
  const names = conditionOf(status, 'NamesAccepted');
  if (names?.status === 'False') return degraded(explain(names));
  if (!isTrue(names)) return progressing('its names are not accepted yet');
  const established = conditionOf(status, 'Established');
  if (established?.status === 'False' && established.reason !== 'Installing')
    return degraded(explain(established));
  return isTrue(established) ? healthy('established') : progressing('not established yet');
};

/** Its backend may still start, so an APIService that is not available is never Degraded. */
export const apiService: Judge = ({ status }) => {
  const available = conditionOf(status, 'Available');
  if (available === undefined) return progressing('not asked yet whether it is available');
  return isTrue(available) ? healthy('available') : progressing(explain(available));
};
