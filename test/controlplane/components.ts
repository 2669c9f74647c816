import { join } from 'node:path';
import type { Command } from './child.ts';

/** What the flags of the programs are made from. */
export interface Layout {
  dir: string;
  binDir: string;
  etcdPort: number;
  apiServerPort: number;
  audit: boolean;
}

/** Users of the control plane's own programs. Their reading is left out of the audit log. */
export const SYSTEM_USERS = {
  controllerManager: 'system:kube-controller-manager',
  scheduler: 'system:kube-scheduler',
  kwok: 'system:kwok',
} as const;

/** Paths of the files in a control plane's folder. */
export function files(dir: string) {
  const pki = join(dir, 'pki');
  return {
    pki,
    ca: join(pki, 'ca.crt'),
    caKey: join(pki, 'ca.key'),
    serving: { cert: join(pki, 'apiserver.crt'), key: join(pki, 'apiserver.key') },
    serviceAccount: { public: join(pki, 'sa.pub'), private: join(pki, 'sa.key') },
    adminKubeconfig: join(dir, 'admin.kubeconfig'),
    controllerManagerKubeconfig: join(dir, 'controller-manager.kubeconfig'),
    schedulerKubeconfig: join(dir, 'scheduler.kubeconfig'),
    kwokKubeconfig: join(dir, 'kwok.kubeconfig'),
    kwokConfig: join(dir, 'kwok.yaml'),
    auditLog: join(dir, 'audit.log'),
  };
}

/** The test data are thrown away, so nothing waits for the disk. */
export function etcd({ dir, binDir, etcdPort }: Layout): Command {
  const url = `http://127.0.0.1:${etcdPort}`;
  return command('etcd', binDir, {
    'data-dir': join(dir, 'etcd'),
    'listen-client-urls': url,
    'advertise-client-urls': url,
    'listen-peer-urls': 'http://127.0.0.1:0',
    'unsafe-no-fsync': 'true',
    'log-level': 'warn',
  });
}

export function apiServer({ dir, binDir, etcdPort, apiServerPort, audit }: Layout): Command {
  const { ca, pki, serving, serviceAccount, auditLog } = files(dir);
  return command('kube-apiserver', binDir, {
    'etcd-servers': `http://127.0.0.1:${etcdPort}`,
    'secure-port': String(apiServerPort),
    'bind-address': '127.0.0.1',
    'advertise-address': '127.0.0.1',
    'cert-dir': pki,
    'client-ca-file': ca,
    'tls-cert-file': serving.cert,
    'tls-private-key-file': serving.key,
    'service-account-key-file': serviceAccount.public,
    'service-account-signing-key-file': serviceAccount.private,
    'service-account-issuer': 'https://kubernetes.default.svc.cluster.local',
    'service-cluster-ip-range': '10.96.0.0/16',
    'authorization-mode': 'RBAC',
    'endpoint-reconciler-type': 'none',
    // No kube-proxy runs here: Services of webhooks and APIServices are reached at their endpoints.
    'enable-aggregator-routing': 'true',
    'allow-privileged': 'true',
    'shutdown-watch-termination-grace-period': '1s',
    ...(audit && {
      'audit-policy-file': join(import.meta.dirname, 'audit-policy.yaml'),
      'audit-log-path': auditLog,
      'audit-log-maxsize': '10000',
    }),
  });
}

/** With its default request rate the controller manager would slow down every wave of Deployments. */
export function controllerManager({ dir, binDir }: Layout): Command {
  const { ca, caKey, serviceAccount, controllerManagerKubeconfig } = files(dir);
  return command('kube-controller-manager', binDir, {
    kubeconfig: controllerManagerKubeconfig,
    'secure-port': '0',
    'service-account-private-key-file': serviceAccount.private,
    'root-ca-file': ca,
    'cluster-signing-cert-file': ca,
    'cluster-signing-key-file': caKey,
    'use-service-account-credentials': 'true',
    'leader-elect': 'false',
    'kube-api-qps': '500',
    'kube-api-burst': '1000',
    // Autoscalers are looked at so often: no event makes them due.
    'horizontal-pod-autoscaler-sync-period': '1s',
  });
}

export function scheduler({ dir, binDir }: Layout): Command {
  return command('kube-scheduler', binDir, {
    kubeconfig: files(dir).schedulerKubeconfig,
    'secure-port': '0',
    'leader-elect': 'false',
    'kube-api-qps': '500',
    'kube-api-burst': '1000',
  });
}

export function kwok({ dir, binDir }: Layout): Command {
  const { kwokKubeconfig, kwokConfig } = files(dir);
  return command('kwok', binDir, {
    kubeconfig: kwokKubeconfig,
    config: kwokConfig,
    'manage-all-nodes': 'true',
  });
}

function command(name: string, binDir: string, flags: Readonly<Record<string, string>>): Command {
  const args = Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
  return { name, path: join(binDir, name), args };
}
