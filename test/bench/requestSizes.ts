import type { ApiAccess } from '../controlplane/apiAccess.ts';

const SERIES =
  /^apiserver_request_body_size_bytes_bucket\{(?<labels>[^}]*),le="(?<limit>[^"]+)"\} (?<count>\d+)$/gm;

/** Verb and resource → number of requests up to each size in bytes. */
type Buckets = Map<string, Map<number, number>>;

/** How large the requests are that an API server gets, as it counts them itself. */
export class RequestSizes {
  readonly #api: ApiAccess;
  readonly #before: Buckets;

  private constructor(api: ApiAccess, before: Buckets) {
    this.#api = api;
    this.#before = before;
  }

  static async start(api: ApiAccess): Promise<RequestSizes> {
    return new RequestSizes(api, await read(api));
  }

  /** The largest since the start: by the API server's own steps, so not larger than this. */
  async largest(): Promise<{ atMostBytes: number; what: string }> {
    let largest = { atMostBytes: 0, what: 'none' };
    for (const [what, buckets] of await read(this.#api)) {
      const before = this.#before.get(what);
      const fresh = [...buckets].map(([limit, count]) => [limit, count - (before?.get(limit) ?? 0)] as const);
      const total = Math.max(...fresh.map(([, count]) => count));
      if (total === 0) continue;
      const atMostBytes = Math.min(...fresh.filter(([, count]) => count === total).map(([limit]) => limit));
      if (atMostBytes > largest.atMostBytes) largest = { atMostBytes, what };
    }
    return largest;
  }
}

async function read(api: ApiAccess): Promise<Buckets> {
  const { body } = await api.request('GET', '/metrics');
  const found: Buckets = new Map();
  for (const { groups } of String(body['text']).matchAll(SERIES)) {
    const { labels = '', limit = '', count = '' } = groups ?? {};
    const what = ['verb', 'resource'].map((label) => labelIn(labels, label)).join(' ');
    const buckets = found.get(what) ?? new Map<number, number>();
    found.set(what, buckets.set(limit === '+Inf' ? Infinity : Number(limit), Number(count)));
  }
  return found;
}

function labelIn(labels: string, name: string): string {
  return new RegExp(`${name}="([^"]*)"`).exec(labels)?.[1] ?? '';
}
