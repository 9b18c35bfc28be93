/**
 * The sockets of a shell. Binary frames of the viewer are what was typed, binary frames to the viewer what the terminal shows. Text
 * frames are the messages below. On the runner's socket, the first byte of a binary frame from the runner says what follows: what
 * the terminal shows, or the same for the log, where secrets are masked however the output was cut.
 */
import { z } from "zod";
import { maxTerminalSide } from "./resource.ts";

export const shellSocketPath = "/repos/:owner/:repo/pipelines/:id/shells/:shell/socket";
/** Sub-protocol of the viewer's socket, which adds `ticket.<ticket>` as a second one. */
export const shellProtocol = "forgeline-shell.v1";
export const runnerShellPath = "/runners/shells/:shell";

/** A frame of either side is no longer. */
export const maxShellFrameBytes = 64 * 1024;

/** First byte of a binary frame of the runner. */
export const shellFrameKinds = { screen: 0, log: 1 } as const;

const side = z.number().int().min(1).max(maxTerminalSide);
export const ShellResize = z.object({ t: z.literal("resize"), columns: side, rows: side });
export type ShellResize = z.infer<typeof ShellResize>;

/** The shell runs: what is typed from now on reaches it. */
export const ShellReady = z.object({ t: z.literal("ready") });

/** The shell is over; the socket closes after it. */
export const ShellEnded = z.object({
  t: z.literal("ended"),
  reason: z.string(),
  /** A sentence for people. */
  message: z.string(),
  /** Of the shell itself; null unless it ended by itself. */
  exit_code: z.number().int().nullable(),
});
export type ShellEnded = z.infer<typeof ShellEnded>;

export const ShellMessage = z.discriminatedUnion("t", [ShellReady, ShellEnded]);
export type ShellMessage = z.infer<typeof ShellMessage>;

/** From the runner: the shell runs; or it has ended, by itself with a code or because of what the message says. */
export const RunnerShellMessage = z.discriminatedUnion("t", [
  ShellReady,
  z.object({
    t: z.literal("exited"),
    exitCode: z.number().int().nullable(),
    message: z.string().max(2_000).nullable(),
  }),
]);
export type RunnerShellMessage = z.infer<typeof RunnerShellMessage>;

/** To the runner. */
export const ServerShellMessage = ShellResize;
