/** Something that our language has no words for. */
export class CannotConvert extends Error {
  readonly suggestion: string | null;

  constructor(message: string, suggestion: string | null = null) {
    super(message);
    this.suggestion = suggestion;
  }
}

/** What `work` gives, or why it cannot. */
export function attempt<T>(work: () => T): { value: T } | { problem: CannotConvert } {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof CannotConvert) return { problem: error };
    throw error;
  }
}
