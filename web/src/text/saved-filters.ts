/** Words of saved filters. */
export const text = {
  title: "Saved filters",
  shared: "Of the repository",
  noneShared: "The repository shares none yet.",
  own: "Yours",
  none: "You have saved none here yet.",
  share: "For everybody who may read the repository",
  save: "Save this filter",
  name: "Name",
  nothingToSave: "Search or filter first: what you then see can be saved.",
  saved: "Filter saved.",
  remove: (name: string) => `Delete the filter ${name}`,
  removed: "Filter deleted.",
};
