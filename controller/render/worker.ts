/** Entry of the worker thread: heavy renders stay off the controller's event loop. */
export { runRender as default } from '../../engine/render/job.ts';
