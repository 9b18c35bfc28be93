/**
 * `forgeline`, the command line. Exit status: 0 success; 1 the server refused, or a watched run failed; 2 wrong use;
 * 3 a watched run was cancelled.
 */
import { runCommandLine } from "./command-line.ts";
import { endWithStarter } from "./end-with-starter.ts";
import { readerIsGone } from "./output/reader-gone.ts";

// A reader that went away (`| head`) is no error of ours.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") readerIsGone();
  else process.exit(1);
});

endWithStarter();
await runCommandLine(process.argv.slice(2));
