/**
 * Failures of workflows in a form for people. A failure contains messages of Git, the database, a store or our code. None is
 * given secrets, but an address or a header could be in any of them, so what looks like a secret is removed. Stacks, and the
 * further details of a failure, are never shown.
 */
import type { WorkFailure } from "@forgeline/schemas/background-work/resource.ts";

/** The parts of Temporal's failure that are read here. */
export interface RawFailure {
  message?: string | null;
  cause?: RawFailure | null;
  applicationFailureInfo?: { type?: string | null } | null;
  timeoutFailureInfo?: object | null;
  canceledFailureInfo?: object | null;
  terminatedFailureInfo?: object | null;
  serverFailureInfo?: object | null;
  resetWorkflowFailureInfo?: object | null;
  activityFailureInfo?: object | null;
}

const maxLinks = 10;
const maxMessageLength = 2_000;
const redacted = "[redacted]";

/** Outermost first. */
export function failureChain(failure: RawFailure | null | undefined): WorkFailure[] {
  const chain: WorkFailure[] = [];
  for (let link = failure; link && chain.length < maxLinks; link = link.cause)
    chain.push({ type: typeOf(link), message: redactMessage(link.message ?? "") });
  return chain;
}

function typeOf(failure: RawFailure): string {
  if (failure.applicationFailureInfo) return failure.applicationFailureInfo.type || "Error";
  if (failure.activityFailureInfo) return "step_failed";
  if (failure.timeoutFailureInfo) return "timed_out";
  if (failure.canceledFailureInfo) return "cancelled";
  if (failure.terminatedFailureInfo) return "terminated";
  return "internal";
}

const secrets: readonly [RegExp, string][] = [
  [/([a-z][a-z0-9+.-]*:\/\/)[^/\s@]+@/gi, `$1${redacted}@`],
  [/\b(bearer|basic)\s+[\w~+/.=-]{8,}/gi, `$1 ${redacted}`],
  [/\bsvc_[a-z]+_[\w-]+/g, redacted],
  [/([?&][\w-]*(?:signature|credential|token|secret|key|sig)=)[^&\s"'<>]+/gi, `$1${redacted}`],
  [/\b((?:pass(?:word|wd)?|secret|token|api[_-]?key)["']?\s*[:=]\s*["']?)[^\s"',;]{3,}/gi, `$1${redacted}`],
  [/-----BEGIN [^-]*PRIVATE KEY-----[\s\S]*?(?:-----END [^-]*-----|$)/g, redacted],
];

/** The message, shortened and without what looks like a secret. */
export function redactMessage(message: string): string {
  const clean = secrets.reduce((text, [pattern, instead]) => text.replace(pattern, instead), message);
  return clean.length > maxMessageLength ? `${clean.slice(0, maxMessageLength)} …` : clean;
}
