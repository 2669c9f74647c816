/** Entry of the worker thread: heavy renders stay off the controller's event loop. */
export { renderAndPack as default } from './renderAndPack.ts';
