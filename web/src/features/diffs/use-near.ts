/** Whether an element was ever near the part of the page that is seen. What a far one holds need not be drawn. */
import { useEffect, useRef, useState } from "react";

const marginOfNear = "1500px 0px";
const waiting = new Map<Element, () => void>();
let observer: IntersectionObserver | undefined;

export function useNear<T extends Element>() {
  const ref = useRef<T>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (!element || isNear) return;
    return whenNear(element, () => setNear(true));
  }, [isNear]);
  return { ref, isNear };
}

/** Calls once; the answer ends the waiting. One observer watches for all, as there may be thousands. */
export function whenNear(element: Element, onNear: () => void): () => void {
  observer ??= new IntersectionObserver(tellNear, { rootMargin: marginOfNear });
  waiting.set(element, onNear);
  observer.observe(element);
  return () => forget(element);
}

function tellNear(entries: readonly IntersectionObserverEntry[]): void {
  for (const { isIntersecting, target } of entries) {
    const onNear = isIntersecting ? waiting.get(target) : undefined;
    if (!onNear) continue;
    forget(target);
    onNear();
  }
}

function forget(element: Element): void {
  waiting.delete(element);
  observer?.unobserve(element);
}
