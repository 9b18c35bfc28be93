/** `n` and `p` go to the next and the previous conflict; `1`, `2` and `3` choose the source, the target, or both. */
import type { RefObject } from "react";
import { usePageKeys } from "../../ui/page-keys.ts";
import type { Pick } from "./resolution.ts";

type Choose = (at: number, chosen: Pick) => void;

export function useRegionKeys(ref: RefObject<HTMLElement | null>, choose: Choose | undefined): void {
  const regions = () => [...(ref.current?.querySelectorAll<HTMLElement>("[data-region]") ?? [])];
  const current = () => regions().findIndex((region) => region.contains(document.activeElement));
  const show = (region: HTMLElement | undefined) => {
    region?.querySelector<HTMLElement>("button")?.focus({ preventScroll: true });
    region?.scrollIntoView({ block: "nearest" });
  };
  const go = (step: 1 | -1) => {
    const all = regions();
    const at = current();
    show(all[at < 0 ? (step === 1 ? 0 : all.length - 1) : at + step]);
  };
  const press = (chosen: Pick) => () => {
    const all = regions();
    const region = all[current()] ?? all.find((each) => each.dataset["chosen"] === undefined);
    if (!region || !choose) return;
    choose(Number(region.dataset["region"]), chosen);
    show(region);
  };
  usePageKeys({
    n: () => go(1),
    p: () => go(-1),
    1: press("source"),
    2: press("target"),
    3: press("both"),
  });
}
