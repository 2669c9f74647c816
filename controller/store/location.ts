import { parseRepository, type Repository } from '../registry/reference.ts';

/** Where renders are kept (`--render-store`). */
export type StoreLocation = { kind: 'secrets' } | { kind: 'none' } | OciLocation;

/** A repository of an OCI registry, and how it is asked. */
export interface OciLocation {
  kind: 'oci';
  repository: Repository;
  /** A docker configuration file; undefined: where `docker login` keeps it. */
  credentialsFile: string | undefined;
}

/** What `--render-store` takes, for messages. */
const STORE_FORMS = 'secrets, none or oci://HOST/REPOSITORY';

export interface StoreFlags {
  store: string;
  credentialsFile: string | undefined;
  plainHttp: boolean;
}

/** Reads the flags of the render store. @returns what is wrong with them where they cannot be used */
export function storeLocation({
  store,
  credentialsFile,
  plainHttp,
}: StoreFlags): StoreLocation | { problem: string } {
  if (store.startsWith('oci://')) {
    const repository = parseRepository(store, { plainHttp });
    if ('problem' in repository) return { problem: `--render-store ${repository.problem}` };
    return { kind: 'oci', repository, credentialsFile };
  }
  if (credentialsFile !== undefined || plainHttp)
    return { problem: '--render-store-credentials and --render-store-plain-http are for a store oci://…' };
  if (store === 'secrets' || store === 'none') return { kind: store };
  return { problem: `--render-store ${store}: it takes ${STORE_FORMS}` };
}
