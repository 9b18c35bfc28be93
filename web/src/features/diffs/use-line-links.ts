/**
 * Keys and clicks on the numbers of a table's lines. The table is one stop of the Tab key: arrows, Home and End lead to the other
 * numbers, and Enter puts the line into the address like a click. With Shift, all lines from the one that was chosen before.
 */
import { useLayoutEffect, useRef, type FocusEvent, type KeyboardEvent, type MouseEvent } from "react";
import { useNavigate } from "react-router";
import { hashBetween } from "./anchors.ts";

const ends: Readonly<Record<string, number>> = { Home: 0, End: -1 };
const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

export function useLineLinks() {
  const ref = useRef<HTMLTableElement>(null);
  const from = useRef<string>(undefined);
  const navigate = useNavigate();
  useLayoutEffect(() => {
    const table = ref.current;
    if (table && !table.querySelector("a[data-line][tabindex='0']")) setStop(table, linksOf(table)[0]);
  });
  return {
    ref,
    onClick: (event: MouseEvent<HTMLTableElement>) => {
      const link = linkOf(event.target);
      if (!link || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      const { pathname, search, hash: before } = window.location;
      if (!event.shiftKey) from.current = link.hash;
      const hash = event.shiftKey ? hashBetween(from.current ?? before, link.hash) : link.hash;
      void navigate(`${pathname}${search}${hash}`, { replace: true, preventScrollReset: true });
    },
    onFocus: (event: FocusEvent<HTMLTableElement>) => {
      const link = linkOf(event.target);
      if (link) setStop(event.currentTarget, link);
    },
    onKeyDown: (event: KeyboardEvent<HTMLTableElement>) => {
      const link = linkOf(event.target);
      const next = link && nextLink(event, link);
      if (!next) return;
      event.preventDefault();
      next.focus();
    },
  };
}

function nextLink(event: KeyboardEvent<HTMLTableElement>, link: HTMLAnchorElement) {
  const { key, currentTarget: table } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const side = key === "ArrowLeft" ? "L" : "R";
    return link.closest("tr")?.querySelector<HTMLAnchorElement>(`a[data-line^="${side}"]`);
  }
  const links = linksOf(table, link.dataset["line"]?.[0]);
  const step = steps[key];
  if (step !== undefined) return links[links.indexOf(link) + step];
  const end = ends[key];
  return end === undefined ? undefined : links.at(end);
}

function linksOf(table: HTMLTableElement, side = ""): HTMLAnchorElement[] {
  return [...table.querySelectorAll<HTMLAnchorElement>(`a[data-line${side && `^="${side}"`}]`)];
}

function linkOf(target: EventTarget): HTMLAnchorElement | null {
  return target instanceof Element ? target.closest<HTMLAnchorElement>("a[data-line]") : null;
}

function setStop(table: HTMLTableElement, link: HTMLAnchorElement | undefined): void {
  for (const before of table.querySelectorAll("a[data-line][tabindex='0']"))
    before.setAttribute("tabindex", "-1");
  link?.setAttribute("tabindex", "0");
}
