/** The colours of a canvas, out of the variables of the page's scheme. */
import type { Kind } from "./packages.ts";

const variables = {
  ink: "--ink",
  soft: "--ink-soft",
  paper: "--paper",
  line: "--line",
  lineStrong: "--line-strong",
  accent: "--accent",
  good: "--good",
  bad: "--bad",
  warn: "--warn",
} as const;

export type Palette = Record<keyof typeof variables, string> & { font: string };

export function readPalette(canvas: HTMLCanvasElement): Palette {
  const read = (variable: string) => {
    // One of its own for each: what changes its colour may still be on its way from the one before.
    const probe = document.createElement("span");
    probe.style.color = `var(${variable})`;
    canvas.parentElement?.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
  const colours = Object.entries(variables).map(([name, variable]) => [name, read(variable)]);
  const font = getComputedStyle(canvas).fontFamily;
  return { ...Object.fromEntries(colours), font };
}

/** Calls `onChange` whenever the scheme may have changed; returns how to stop that. */
export function watchScheme(onChange: () => void): () => void {
  const media = matchMedia("(prefers-color-scheme: dark)");
  media.addEventListener("change", onChange);
  const chosen = new MutationObserver(onChange);
  chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => {
    media.removeEventListener("change", onChange);
    chosen.disconnect();
  };
}

/** Kinds differ in colour and in whether they are filled, so that who sees no colours tells most of them apart. */
export const looks: Record<Kind, { colour: "accent" | "soft" | "warn" | "good"; isFilled: boolean }> = {
  runtime: { colour: "accent", isFilled: true },
  development: { colour: "soft", isFilled: false },
  build: { colour: "warn", isFilled: true },
  optional: { colour: "good", isFilled: false },
  peer: { colour: "accent", isFilled: false },
};
