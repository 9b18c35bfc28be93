/**
 * What `work` comes to, for those who cannot wait forever: its value, its error, or "late" after `ms`. Never rejects;
 * work that is late continues, and nobody hears of it any more.
 */
export async function outcomeWithin<T>(work: Promise<T>, ms: number): Promise<T | "late" | Error> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), ms);
  });
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    clearTimeout(timer);
  }
}
