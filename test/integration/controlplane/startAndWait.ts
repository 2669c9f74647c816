import { startControlPlane } from '../../controlplane/controlPlane.ts';

// A process that has a control plane and never ends by itself: the test that started it kills it.
const plane = await startControlPlane({ kwok: process.argv[2] === 'kwok', say: () => undefined });
console.log(plane.dir);
setInterval(() => undefined, 60_000);
