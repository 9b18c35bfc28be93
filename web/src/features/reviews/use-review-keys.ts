/** `c` comments on the line or file where one is; `n` and `p` go to the next and the previous thread. */
import { useCallback, useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { usePageKeys } from "../../ui/page-keys.ts";
import { anchorOf, fileId } from "../diffs/anchors.ts";
import { scrollSteadily } from "../diffs/scroll-steadily.ts";
import type { MergeRequest } from "../merge-requests/merge-request.ts";
import { holdsLine, rangeBetween, type LineRange } from "./line-range.ts";
import { inPageOrder, lineNameOf, pathOf, threadNextTo } from "./place-threads.ts";
import type { ReviewStore } from "./review-store.ts";
import type { Thread } from "./review.ts";

export function useCommentKey(
  store: ReviewStore,
  { head_sha: seen, viewer_may: may }: MergeRequest,
  sides: "both" | "new" | "none",
): void {
  const { hash } = useLocation();
  const comment = () => {
    if (!may.comment || sides === "none") return;
    const section = currentSection();
    const path = section && anchorOf(`#${section.id}`)?.path;
    if (!section || path === undefined) return;
    const range = chosenLines(path, store, hash);
    if (range?.side === "L" && sides === "new") return;
    section.querySelector<HTMLElement>('[data-fold][aria-expanded="false"]')?.click();
    store.openForm(path, { range: range ?? null, seen });
    if (!range) scrollSteadily(section, { block: "start" });
  };
  usePageKeys({ c: comment });
}

/** `v` marks the file where one is as viewed, or takes that back. */
export function useViewedKey(): void {
  usePageKeys({ v: () => currentSection()?.querySelector<HTMLInputElement>("[data-viewed]")?.click() });
}

/** The file that has the focus, or else the first one in sight. */
function currentSection(): HTMLElement | undefined {
  const sections = [...document.querySelectorAll<HTMLElement>("[data-diff-file]")];
  return (
    sections.find((section) => section.contains(document.activeElement)) ??
    sections.find((section) => section.getBoundingClientRect().bottom > 0)
  );
}

/** By the keyboard's focus, or else by the address. */
function chosenLines(path: string, store: ReviewStore, hash: string): LineRange | undefined {
  const selection = store.selection();
  const focused = document.activeElement?.closest<HTMLElement>("a[data-line]")?.dataset["line"];
  const anchor = anchorOf(hash);
  const named = anchor?.path === path && anchor.line ? `${anchor.line.side}${anchor.line.number}` : undefined;
  const name = focused ?? named;
  if (selection?.path === path && (name === undefined || holdsLine(selection, name))) return selection;
  return name === undefined ? undefined : rangeBetween(path, name, name);
}

export type GoToThread = (step: 1 | -1) => void;

/** Goes to threads that are not settled, from the last one that was gone to; the address says where they are. */
export function useThreadWalk(threads: readonly Thread[] | undefined): GoToThread {
  const navigate = useNavigate();
  const last = useRef<string>(undefined);
  const show = useCallback(
    (thread: Thread) => {
      last.current = thread.id;
      const line = lineNameOf(thread);
      const hash = `#${fileId(pathOf(thread))}${line === undefined ? "" : `:${line}`}`;
      // Among all changes it is surely there.
      const search = new URLSearchParams(window.location.search);
      for (const name of ["since", "commit"]) search.delete(name);
      void navigate({ search: `${search}`, hash }, { replace: true, preventScrollReset: true });
      focusWhenThere(thread.id);
    },
    [navigate],
  );
  useLinkedThread(threads, show);
  const go = (step: 1 | -1) => {
    const open = inPageOrder((threads ?? []).filter(({ resolved }) => !resolved));
    const focused = document.activeElement?.closest<HTMLElement>("[data-thread]")?.dataset["thread"];
    const next = threadNextTo(open, focused ?? last.current, step);
    if (next) show(next);
  };
  usePageKeys({ n: () => go(1), p: () => go(-1) });
  return go;
}

/** An address that names a thread or a comment leads to its lines. */
function useLinkedThread(threads: readonly Thread[] | undefined, show: (thread: Thread) => void): void {
  const { hash, key } = useLocation();
  const done = useRef<string>(undefined);
  useEffect(() => {
    const id = /^#((?:thr|cmt)_\w+)$/.exec(hash)?.[1];
    const visit = `${key} ${hash}`;
    if (id === undefined || !threads || done.current === visit) return;
    const found = threads.find(
      (thread) => thread.id === id || thread.comments.some((each) => each.id === id),
    );
    done.current = visit;
    if (found) show(found);
  }, [hash, key, threads, show]);
}

const maxFrames = 240;

/** Its file may still have to be fetched and drawn. Ends when somebody does something else. */
function focusWhenThere(id: string): void {
  let frames = 0;
  let isWanted = true;
  const end = () => {
    isWanted = false;
  };
  const step = () => {
    const card = document.querySelector<HTMLElement>(`[data-thread="${id}"]`);
    if (!isWanted || frames++ > maxFrames) return;
    if (!card) return void requestAnimationFrame(step);
    card.focus({ preventScroll: true });
    scrollSteadily(card, { block: "center" });
  };
  requestAnimationFrame(() => {
    for (const event of ["wheel", "pointerdown", "keydown"])
      window.addEventListener(event, end, { once: true, passive: true });
    step();
  });
}
