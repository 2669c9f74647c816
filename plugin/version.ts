import packageJson from '../package.json' with { type: 'json' };

/** Of this program; the bundle carries it along. */
export const CLIENT_VERSION: string = packageJson.version;
