/** The containers of a job that had begun are gone; told as trouble of this runner, so that it may be tried again. */
export class LostEnvironment extends Error {
  constructor() {
    super("The job's container was gone when the runner came back.");
    this.name = "LostEnvironment";
  }
}
