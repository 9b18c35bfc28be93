/** Words of the rows with variables of a run. */
export const text = {
  runVariables: "Variables",
  runVariablesHint:
    "Set in the environment of every step, unless the file sets the same name; in expressions as vars.NAME. Names are shown with the run; do not put secrets in them.",
  variableName: (number: number) => `Name of variable ${number}`,
  variableValue: (number: number) => `Value of variable ${number}`,
  namePlaceholder: "NAME",
  valuePlaceholder: "value",
  addVariable: "Add a variable",
  removeVariable: (number: number) => `Remove variable ${number}`,
} as const;
