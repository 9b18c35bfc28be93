/** How many objects the server is asked for at a time: few enough that the last of its addresses is used while it lasts. */
const maxObjects = 100;
const maxBytes = 256 * 1024 * 1024;

/** In their order; what is larger than all that a question may be for is one by itself. */
export function inBatchRequests<T extends { sizeBytes: number }>(objects: readonly T[]): T[][] {
  const questions: T[][] = [];
  let current: T[] = [];
  let bytes = 0;
  for (const each of objects) {
    if (current.length === maxObjects || bytes + each.sizeBytes > maxBytes) {
      questions.push(current);
      [current, bytes] = [[], 0];
    }
    current.push(each);
    bytes += each.sizeBytes;
  }
  return [...questions, current].filter((some) => some.length > 0);
}
