/** What happens when whoever reads our output went away, as `| head` does: that is no error of ours. */
let onGone: () => void = () => process.exit(0);

/** For commands that have something to put away first. */
export function whenReaderGone(work: () => void): void {
  // Each further write says it again.
  let isTold = false;
  onGone = () => {
    if (!isTold) work();
    isTold = true;
  };
}

export function readerIsGone(): void {
  onGone();
}
