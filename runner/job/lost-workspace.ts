/** Jobs of the stage have worked in a workspace that is not here any more; told as trouble of this runner. */
export class LostWorkspace extends Error {
  constructor() {
    super("The workspace that the jobs of this stage share is no longer on the runner. Run the stage again.");
    this.name = "LostWorkspace";
  }
}
