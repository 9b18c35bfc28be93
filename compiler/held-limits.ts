/** What administrators can limit, as it holds for one compilation, and how messages name it. Pure. */
import {
  pipelineLimitNames,
  pipelineLimits,
  type LimitLevel,
  type PipelineLimitName,
} from "@forgeline/schemas/pipeline-limits/limits.ts";

export interface HeldLimit {
  value: number;
  /** `default`: nobody has set it. */
  setBy: LimitLevel;
}
export type HeldLimits = Readonly<Record<PipelineLimitName, HeldLimit>>;

/** Where no server says anything else. */
export const defaultLimits: HeldLimits = holdLimits([]);

/**
 * What holds where these are set: the organization's before the instance's, before the default. Names that this version does not know
 * are left out, and values beyond what it allows become what it allows: another version may have stored them.
 */
export function holdLimits(
  set: readonly { name: string; value: number; setBy: Exclude<LimitLevel, "default"> }[],
): HeldLimits {
  const entries = pipelineLimitNames.map((name): [PipelineLimitName, HeldLimit] => {
    const ofLevel = (level: LimitLevel) => set.find((one) => one.name === name && one.setBy === level);
    const found = ofLevel("organization") ?? ofLevel("instance");
    const { lowest, highest, default: standard } = pipelineLimits[name];
    if (!found) return [name, { value: standard, setBy: "default" }];
    return [name, { value: Math.min(highest, Math.max(lowest, found.value)), setBy: found.setBy }];
  });
  return Object.fromEntries(entries) as Record<PipelineLimitName, HeldLimit>;
}

/** `at most 50 are allowed`; `unit` is what one of the limit counts for. */
export function atMost({ value, setBy }: HeldLimit, unit = 1): string {
  return `at most ${value * unit} are allowed${setBy === "default" ? "" : " here"}`;
}

/** Who has set it, and can set another one; null where nobody has. */
export function limitHint({ setBy }: HeldLimit): string | null {
  if (setBy === "default") return null;
  const whom = setBy === "organization" ? "this organization" : "this instance";
  return `an administrator of the instance has set this limit for ${whom}, and can raise it`;
}

/** The same as a sentence, for messages without a place for hints; empty where nobody has. */
export function limitSentence(limit: HeldLimit): string {
  const hint = limitHint(limit);
  return hint === null ? "" : ` ${hint.charAt(0).toUpperCase()}${hint.slice(1)}.`;
}

/** `90 minutes`, `2 hours`, `7 days`. */
export function lengthOf(minutes: number): string {
  const [count, unit] =
    minutes % 1440 === 0
      ? [minutes / 1440, "day"]
      : minutes % 60 === 0
        ? [minutes / 60, "hour"]
        : [minutes, "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
