/** Kinds differ in colour and in whether they are filled, so that who sees no colours tells most of them apart. */
import type { Kind } from "./packages.ts";

export const kindStyles: Record<Kind, { colour: "accent" | "soft" | "warn" | "good"; isFilled: boolean }> = {
  runtime: { colour: "accent", isFilled: true },
  development: { colour: "soft", isFilled: false },
  build: { colour: "warn", isFilled: true },
  optional: { colour: "good", isFilled: false },
  peer: { colour: "accent", isFilled: false },
};
