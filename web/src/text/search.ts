/** Words of the search in all repositories. */
export const text = {
  issues: "Issues",
  mergeRequests: "Merge requests",
  search: "Search",
  field: "Search in all repositories",
  hint: 'Words, "exact phrases", and qualifiers such as is:open label:bug.',
  help: "What can be written here",
  views: "Yours",
  view: {
    created: "Created by you",
    assigned: "Assigned to you",
    mentioned: "Mentioning you",
    waiting: "Waiting for your review",
  },
  all: (count: number) => `All ${count}`,
  found: (count: string) => (count === "1" ? "1 result" : `${count} results`),
  onlyFirst: "The first 1,000 can be read: narrow the search for others.",
  list: "Results",
  pages: "Pages of results",
  none: "Nothing found",
  noneHint: "Nothing that you can see fits this search.",
};
