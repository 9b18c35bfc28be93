/** Words of saved filters. */
export const text = {
  title: "Saved filters",
  none: "You have saved none here yet.",
  save: "Save this filter",
  name: "Name",
  nothingToSave: "Search or filter first: what you then see can be saved.",
  saved: "Filter saved.",
  remove: (name: string) => `Delete the filter ${name}`,
  removed: "Filter deleted.",
};
