import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiAccess } from './apiAccess.ts';
import { AuditTail, readAuditLog, waitForAudit } from './audit.ts';
import type { AuditEvent } from './audit.ts';
import { ensureBinaries } from './build.ts';
import { CertificateAuthority, serviceAccountKeys } from './certificates.ts';
import { Child } from './child.ts';
import type { Command } from './child.ts';
import { SYSTEM_USERS, apiServer, controllerManager, etcd, files, kwok, scheduler } from './components.ts';
import type { Layout } from './components.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import { createNodes, writeKwokConfig } from './kwok.ts';
import { freePorts } from './ports.ts';
import { Watchdog } from './watchdog.ts';
import { createWorkFolder, removeLeftovers } from './workFolder.ts';

const START_TIMEOUT_MS = 60_000;
const PROBE_EVERY_MS = 50;

export interface ControlPlaneOptions {
  /** Write an audit log. Costs a write to disk for each request. */
  audit?: boolean;
  /** Run kwok, which makes nodes and pods live. Without it there are no nodes and pods stay Pending. */
  kwok?: boolean;
  /** Number of nodes, each with room for 1000 pods. */
  nodes?: number;
  /** Where progress of building the programs is told. */
  say?: (line: string) => void;
}

/** Starts etcd, the API server, the controller manager, the scheduler and kwok, and waits until a pod could run. */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const { audit = false, kwok: withKwok = true, nodes = 1, say = (line) => console.log(line) } = options;
  const { binDir, stockStages } = await ensureBinaries(say);
  await removeLeftovers();
  const dir = await createWorkFolder();
  const watchdog = new Watchdog(dir);
  const [etcdPort = 0, apiServerPort = 0] = await freePorts(2);
  const plane = new ControlPlane(
    { dir, binDir, etcdPort, apiServerPort, audit },
    watchdog,
    await preparePki(dir),
  );
  try {
    await plane.start(withKwok ? { stockStages, nodes } : undefined);
    return plane;
  } catch (error) {
    await plane.abandon();
    throw error;
  }
}

/** Writes what authenticates the programs to each other. */
async function preparePki(dir: string): Promise<CertificateAuthority> {
  const { pki, serving, serviceAccount } = files(dir);
  const authority = await CertificateAuthority.create(pki);
  const names = [
    'localhost',
    'kubernetes',
    'kubernetes.default',
    'kubernetes.default.svc',
    'kubernetes.default.svc.cluster.local',
  ];
  const server = await authority.issueServer(names, ['127.0.0.1', '10.96.0.1']);
  const keys = serviceAccountKeys();
  await writeFile(serving.cert, server.cert);
  await writeFile(serving.key, server.key, { mode: 0o600 });
  await writeFile(serviceAccount.public, keys.public);
  await writeFile(serviceAccount.private, keys.private, { mode: 0o600 });
  return authority;
}

/** A running Kubernetes control plane of this process. It ends with `stop`, and also when this process ends in any way. */
export class ControlPlane {
  readonly url: string;
  readonly port: number;
  readonly caPem: string;
  /** Folder of its data, logs and credentials; removed at the end. */
  readonly dir: string;
  /** Folder of kubectl and the other programs. */
  readonly binDir: string;
  /** A kubeconfig of a cluster-admin. */
  readonly kubeconfigPath: string;
  /** Folder of the certificate authority that clients are issued from. */
  readonly pkiDir: string;
  readonly #layout: Layout;
  readonly #watchdog: Watchdog;
  readonly #authority: CertificateAuthority;
  readonly #children = new Map<string, Child>();
  /** The programs that live on the API server. */
  #clients: Command[] = [];
  #issued = 0;
  #api: ApiAccess | undefined;

  constructor(layout: Layout, watchdog: Watchdog, authority: CertificateAuthority) {
    this.url = `https://127.0.0.1:${layout.apiServerPort}`;
    this.port = layout.apiServerPort;
    this.caPem = authority.pem;
    this.dir = layout.dir;
    this.binDir = layout.binDir;
    this.kubeconfigPath = files(layout.dir).adminKubeconfig;
    this.pkiDir = files(layout.dir).pki;
    this.#layout = layout;
    this.#watchdog = watchdog;
    this.#authority = authority;
  }

  /** Starts every program; `startControlPlane` calls it. */
  async start(pods: { stockStages: readonly string[]; nodes: number } | undefined): Promise<void> {
    const store = this.#run(etcd(this.#layout));
    const { adminKubeconfig, controllerManagerKubeconfig, schedulerKubeconfig, kwokKubeconfig, kwokConfig } =
      files(this.dir);
    await Promise.all([
      this.#writeKubeconfig(adminKubeconfig, 'kubernetes-admin', ['system:masters']),
      this.#writeKubeconfig(controllerManagerKubeconfig, SYSTEM_USERS.controllerManager, []),
      this.#writeKubeconfig(schedulerKubeconfig, SYSTEM_USERS.scheduler, []),
      this.#writeKubeconfig(kwokKubeconfig, SYSTEM_USERS.kwok, ['system:masters']),
      pods && writeKwokConfig(kwokConfig, pods.stockStages),
      until(store, () => isOk(`http://127.0.0.1:${this.#layout.etcdPort}/readyz`)),
    ]);
    this.#api = await ApiAccess.fromKubeconfig(adminKubeconfig);
    this.#clients = [controllerManager, scheduler, ...(pods ? [kwok] : [])].map((command) =>
      command(this.#layout),
    );
    await this.startApiServer();
    await Promise.race([
      this.failure,
      Promise.all([
        this.api.waitForNamed(
          '/api/v1/namespaces/default/serviceaccounts',
          'default',
          () => true,
          START_TIMEOUT_MS,
        ),
        pods && createNodes(this.api, pods.nodes),
      ]),
    ]);
  }

  /** Plain requests as cluster-admin. */
  get api(): ApiAccess {
    if (this.#api === undefined) throw new Error('the control plane has not been started');
    return this.#api;
  }

  /** Rejects when one of the programs that run now ends by itself. Never resolves. */
  get failure(): Promise<never> {
    return Promise.race([...this.#children.values()].map((child) => child.failure));
  }

  /** Writes a kubeconfig whose client certificate names this user and these groups, and gives its path. */
  async kubeconfigFor(user: string, groups: readonly string[] = []): Promise<string> {
    this.#issued += 1;
    const path = join(this.dir, 'users', `${this.#issued}.kubeconfig`);
    await mkdir(join(this.dir, 'users'), { recursive: true });
    await this.#writeKubeconfig(path, user, groups);
    return path;
  }

  /** The audit log so far. Throws when the control plane was started without `audit`. */
  async auditEvents(): Promise<AuditEvent[]> {
    return readAuditLog(this.#auditLog());
  }

  /** The first audit event that satisfies the predicate, waiting for it to be written. */
  waitForAuditEvent(predicate: (event: AuditEvent) => boolean, timeoutMs?: number): Promise<AuditEvent> {
    return waitForAudit(this.#auditLog(), predicate, timeoutMs);
  }

  /** Reads the audit log from its present end on. */
  auditTail(): Promise<AuditTail> {
    return AuditTail.open(this.#auditLog());
  }

  /** Ends the API server and waits until it is gone: SIGTERM lets it finish requests, SIGKILL cuts every connection. */
  async stopApiServer(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    await this.#end('kube-apiserver', signal);
  }

  /**
   * Starts the API server on its port and its data, and waits until it is ready. The controllers start anew with it:
   * those that lived through an outage would stay backed off for up to half a minute.
   */
  async startApiServer(): Promise<void> {
    const server = this.#run(apiServer(this.#layout));
    await until(server, async () => (await this.api.request('GET', '/readyz')).status === 200);
    await Promise.all(this.#clients.map(({ name }) => this.#end(name, 'SIGKILL')));
    // A new kwok would wait until the leases of the old one have run out.
    await this.api.must('DELETE', '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases');
    for (const client of this.#clients) this.#run(client);
  }

  /** Ends everything and removes the folder. Throws when a program had ended by itself before. */
  async stop(): Promise<void> {
    const errors = [...this.#children.values()].flatMap((child) => child.unexpectedEnd ?? []);
    await this.abandon();
    if (errors.length > 0) throw new AggregateError(errors, errors.map((error) => error.message).join('\n'));
  }

  /** Ends everything and removes the folder, whatever happened before. */
  async abandon(): Promise<void> {
    await this.#api?.close();
    await Promise.all([...this.#children.values()].map((child) => child.stop('SIGKILL')));
    await this.#watchdog.finish();
  }

  #run(command: Command): Child {
    const child = new Child(command, this.dir, this.#watchdog);
    this.#children.set(child.name, child);
    return child;
  }

  async #end(name: string, signal: NodeJS.Signals): Promise<void> {
    await this.#children.get(name)?.stop(signal);
    this.#children.delete(name);
  }

  #auditLog(): string {
    if (!this.#layout.audit) throw new Error('this control plane was started without an audit log');
    return files(this.dir).auditLog;
  }

  async #writeKubeconfig(path: string, user: string, groups: readonly string[]): Promise<void> {
    await writeKubeconfig(path, this, await this.#authority.issueClient(user, groups));
  }
}

/** Probes a starting program until it is ready. Throws when it ends, or is not ready in time. */
async function until(child: Child, isReady: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  let last: unknown;
  while (performance.now() < deadline) {
    try {
      if (await Promise.race([isReady(), child.failure])) return;
    } catch (error) {
      if (child.unexpectedEnd) throw child.unexpectedEnd;
      last = error;
    }
    await Promise.race([delay(PROBE_EVERY_MS), child.failure]);
  }
  throw new Error(`${child.name} is not ready after ${START_TIMEOUT_MS} ms`, { cause: last });
}

async function isOk(url: string): Promise<boolean> {
  return (await fetch(url)).ok;
}
