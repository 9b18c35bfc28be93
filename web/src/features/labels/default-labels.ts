/** Labels that most repositories begin with, as people know them from elsewhere. */
import { isConflict } from "../../api/problem.ts";
import { api } from "../../api/client.ts";
import { text } from "../../text/labels.ts";

/** Those that somebody else has made meanwhile stay as they are. */
export async function addDefaultLabels(path: { owner: string; repo: string }): Promise<void> {
  for (const body of text.defaults) {
    try {
      await api.POST("/repos/{owner}/{repo}/labels", { params: { path }, body });
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
}
