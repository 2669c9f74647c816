import { defineConfig } from 'vitest/config';

// unit: no cluster. integration and e2e: a real Kubernetes, one control plane per worker (test/controlplane).
// On a cluster that was given there is one for all: two controllers at once would disturb each other.
const isGiven = (process.env['CONVOY_TEST_KUBECONFIG'] ?? '') !== '';

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: isGiven ? 1 : 2,
    fileParallelism: !isGiven,
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/unit/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'cluster',
          include: ['test/integration/**/*.test.ts', 'test/e2e/**/*.test.ts'],
          globalSetup: ['test/controlplane/globalSetup.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
