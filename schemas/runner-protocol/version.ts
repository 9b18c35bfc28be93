/** Versions of the server↔runner protocol; the sub-protocol name carries the major one. */
export const runnerSubprotocol = "svc-runner.v1";
export const runnerProtocolVersions = [1] as const;

/** Close codes of the runner socket and the log watch socket (`pipelines.md` section 6). */
export const closeCodes = {
  bad_frame: 4400,
  credential: 4401,
  revoked: 4403,
  no_common_protocol: 4406,
  silent: 4408,
  replaced: 4409,
  slow_down: 4429,
  too_many_open: 4430,
  going_away: 4503,
} as const;
