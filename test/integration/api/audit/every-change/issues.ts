/** Issues, and what is below them. */
import type { Driver } from "./driver.ts";
import { changeNotifications } from "./notifications.ts";
import { changeReactions } from "./reactions.ts";
import type { Cast } from "./organization.ts";

/** `R`: the repository. */
export async function changeIssues(
  driver: Driver,
  { ada, ben }: Cast,
  R: Record<string, string>,
): Promise<void> {
  const { change, server } = driver;
  await change("setCollaborator", { by: ada, path: { ...R, username: "ben" }, body: { permission: "read" } });
  const { number } = (await change("createIssue", { by: ben, path: R, body: { title: "One" } })).json;
  const upload = (method: string, path: string) =>
    server.api(method, `${path}?name=a.txt&repo=${R["owner"]}/${R["repo"]}`, { token: ben, body: "x" });
  await change("createAttachment", { send: upload });
  const { id: file } = (await upload("POST", "/attachments")).json as { id: string };
  await change("deleteAttachment", { by: ada, path: { id: file, name: "a.txt" } });
  const path = { ...R, number: String(number) };
  await change("updateIssue", { by: ada, path, body: { state: "closed" } });
  await change("updateIssues", { by: ada, path: R, body: { numbers: [number], state: "open" } });
  const { id } = (await change("createIssueComment", { by: ben, path, body: { body: "Two" } })).json;
  await change("updateComment", { by: ben, path: { ...R, id }, body: { body: "Three" } });
  await changeReactions(driver, ben, { text: "Issue", path });
  await changeReactions(driver, ben, { text: "Comment", path: { ...R, id } });
  await change("deleteComment", { by: ada, path: { ...R, id } });
  await changeNotifications(driver, ben, { R, path });
  for (const each of ["lockIssue", "unlockIssue", "pinIssue", "unpinIssue"])
    await change(each, { by: ada, path });
  const board = (await change("createBoard", { by: ada, path: R, body: { name: "All" } })).json;
  const onBoard = { ...R, id: board.id as string };
  await change("updateBoard", { by: ada, path: onBoard, body: { name: "Both" } });
  await change("moveOnBoard", { by: ada, path: onBoard, body: { number, to_column: "open" } });
  await change("deleteBoard", { by: ada, path: onBoard });
  await server.api("POST", "/repos", { token: ada, body: { name: "elsewhere" } });
  const moving = (await change("createIssue", { by: ben, path: R, body: { title: "Two" } })).json;
  const body = { repository: "ada/elsewhere" };
  await change("transferIssue", { by: ada, path: { ...R, number: String(moving.number) }, body });
  await change("deleteIssue", { by: ada, path });
}
