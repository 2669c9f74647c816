/** Who a request is made as, where that is not who is authenticated. */
export interface Impersonation {
  user: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
}

/** Gives the Authorization header's value, undefined for none. */
export interface Credentials {
  authorization(): Promise<string | undefined>;
  /** The server said 401: fetches a new one. False where there cannot be another. */
  renew(): Promise<boolean>;
}

/** All that it takes to reach an API server as somebody; plain data but for `credentials`. */
export interface ConnectionConfig {
  /** `https://host:6443`, with a path where the API server stands behind a proxy. */
  server: string;
  /** Without it the system's certificate authorities count. */
  caPem?: string;
  /** The name in the server's certificate where it is not the host of `server`. */
  serverName?: string;
  /** Do not check the server's certificate. */
  insecure?: boolean;
  certPem?: string;
  keyPem?: string;
  /** HTTP(S) proxy in between. */
  proxyUrl?: string;
  token?: string;
  /** Read again as it rotates; wins over `token`. */
  tokenFile?: string;
  username?: string;
  password?: string;
  /** A credential plugin; wins over all of the above. */
  credentials?: Credentials;
  impersonate?: Impersonation;
  /** The context's namespace. */
  namespace?: string;
}

/** Headers that make an API server act as somebody else; each group and each extra value is a header line of its own. */
export function impersonationHeaders(as: Impersonation | undefined): Record<string, string | string[]> {
  if (as === undefined) return {};
  const headers: Record<string, string | string[]> = { 'Impersonate-User': as.user };
  if (as.uid !== undefined) headers['Impersonate-Uid'] = as.uid;
  if (as.groups !== undefined && as.groups.length > 0) headers['Impersonate-Group'] = as.groups;
  for (const [key, values] of Object.entries(as.extra ?? {})) {
    headers[`Impersonate-Extra-${headerToken(key)}`] = values;
  }
  return headers;
}

/** Percent-encoded as the API server decodes it; parentheses may stand in a URL but not in a header's name. */
function headerToken(key: string): string {
  return encodeURIComponent(key).replaceAll('(', '%28').replaceAll(')', '%29');
}
