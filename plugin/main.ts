import { processIo } from './cli/io.ts';
import { run } from './cli/run.ts';

// The exit code is set and not forced, so that what was written reaches a slow reader whole.
void run(process.argv.slice(2), processIo()).then((code) => {
  process.exitCode = code;
});
