import { textWidth } from '../views/width.ts';

/** What yargs takes string-width for. */
export default textWidth;
