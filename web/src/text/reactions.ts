/** Words of reactions. */
export const text = {
  react: "Add a reaction",
  signs: {
    "+1": { sign: "👍", words: "Thumbs up" },
    "-1": { sign: "👎", words: "Thumbs down" },
    laugh: { sign: "😄", words: "Laugh" },
    hooray: { sign: "🎉", words: "Hooray" },
    confused: { sign: "😕", words: "Confused" },
    heart: { sign: "❤️", words: "Heart" },
    rocket: { sign: "🚀", words: "Rocket" },
    eyes: { sign: "👀", words: "Eyes" },
  },
  counted: (words: string, count: number) => `${words}: ${count}`,
  /** `others`: how many more than those named. */
  who: (names: readonly string[], others: number) =>
    others > 0 ? `${names.join(", ")} and ${others} more` : names.join(", "),
};
