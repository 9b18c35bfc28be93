/** Words of the rows with variables and with inputs. */
export const variableWords = {
  legend: "Variables",
  hint: "Set in the environment of every step, unless the file sets the same name; in expressions as vars.NAME. Names are shown with the run; do not put secrets in them.",
  namePlaceholder: "NAME",
  valuePlaceholder: "value",
  add: "Add a variable",
  nameOf: (number: number) => `Name of variable ${number}`,
  valueOf: (number: number) => `Value of variable ${number}`,
  remove: (number: number) => `Remove variable ${number}`,
} as const;

export const inputWords = {
  legend: "Inputs",
  hint: "Those that the pipeline file declares under on.manual; the others have the file's defaults. Values are shown; do not put secrets in them.",
  namePlaceholder: "name",
  valuePlaceholder: "value",
  add: "Add an input",
  nameOf: (number: number) => `Name of input ${number}`,
  valueOf: (number: number) => `Value of input ${number}`,
  remove: (number: number) => `Remove input ${number}`,
} as const;
