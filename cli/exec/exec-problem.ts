/** What somebody who calls `forgeline exec` can put right. Known by its name: the program that catches it may have been bundled apart. */
export class ExecProblem extends Error {
  /** Of the program: 2 for wrong use, 1 for a machine that cannot run jobs. */
  readonly exitStatus: 1 | 2;
  constructor(message: string, exitStatus: 1 | 2 = 2) {
    super(message);
    this.name = "ExecProblem";
    this.exitStatus = exitStatus;
  }
}
