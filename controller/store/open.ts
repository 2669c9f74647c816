import type { KubeClient } from '../../kube/client.ts';
import { defaultCredentialsFile, readCredentials } from '../registry/credentials.ts';
import { Registry } from '../registry/registry.ts';
import type { OciLocation, StoreLocation } from './location.ts';
import { NO_STORE } from './none.ts';
import { OciStore } from './oci.ts';
import type { RenderStore } from './renderStore.ts';
import { SecretStore } from './secrets.ts';

/** The store of a location. Nothing is asked of it yet. @param userAgent names the program to a registry */
export function openStore(location: StoreLocation, client: KubeClient, userAgent: string): RenderStore {
  if (location.kind === 'none') return NO_STORE;
  return location.kind === 'secrets'
    ? new SecretStore(client)
    : new OciStore(registryOf(location, userAgent));
}

function registryOf({ repository, credentialsFile }: OciLocation, userAgent: string): Registry {
  const isGiven = credentialsFile !== undefined;
  const file = credentialsFile ?? defaultCredentialsFile();
  return new Registry({
    repository,
    userAgent,
    credentials: () => readCredentials(file, repository, { isGiven }),
  });
}
