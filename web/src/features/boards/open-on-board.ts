/** Opens an issue in a column, with what the filters want of it, and says whether the board shows it then. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { fetchAll } from "../../api/fetch-all.ts";
import { boardAddress, type Board, type Column } from "./use-board.ts";
import { wantedByFilter } from "./wanted-by-filter.ts";

export interface Place {
  path: { owner: string; repo: string };
  board: Board;
  column: Column;
  /** What narrows the board for the viewer. */
  q: string;
  username: string;
}

export async function openOnBoard(
  place: Place,
  title: string,
): Promise<{ number: number; isShown: boolean }> {
  const { path } = place;
  const body = { title, ...(await valuesFor(place)) };
  const { data } = await api.POST("/repos/{owner}/{repo}/issues", { params: { path }, body });
  const { number } = data!;
  return { number, isShown: await isShown(place, number) };
}

/** A filter may name what the repository does not have; then it finds nothing, and refusing the issue would help nobody. */
async function valuesFor(place: Place): Promise<Partial<Schemas["IssueCreate"]>> {
  const { path, board, column, q, username } = place;
  const wanted = wantedByFilter(`${board.filter} ${q}`, username);
  const others = board.columns.filter(({ id }) => id !== column.id);
  const labels = wanted.labels.length === 0 ? [] : await labelsOf(path);
  const known = labels.filter(
    ({ id, name }) =>
      wanted.labels.some((each) => isSame(each, name)) && !others.some((other) => other.id === id),
  );
  const milestone = wanted.milestone === undefined ? undefined : await milestoneOf(path, wanted.milestone);
  return {
    // The column's own comes last: of two of one scope the last one stays.
    labels: [...known.map(({ name }) => name), ...(column.label ? [column.label.name] : [])],
    assignees: wanted.assignees,
    ...(milestone ? { milestone: milestone.id } : {}),
  };
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

function labelsOf(path: Place["path"]) {
  return fetchAll((query) => api.GET("/repos/{owner}/{repo}/labels", { params: { path, query } }));
}

async function milestoneOf(path: Place["path"], title: string) {
  const open = await fetchAll((query) =>
    api.GET("/repos/{owner}/{repo}/milestones", { params: { path, query } }),
  );
  return open.find((each) => isSame(each.title, title));
}

/** New ones stand at the top, so the first page tells. Where it cannot be asked, nothing is said against it: the issue is there. */
async function isShown({ path, board, column, q }: Place, number: number): Promise<boolean> {
  try {
    const { data = [] } = await api.GET(`${boardAddress}/columns/{column}/issues`, {
      params: { path: { ...path, id: board.id, column: column.id }, query: { q, per_page: 100 } },
    });
    return data.some((issue) => issue.number === number);
  } catch {
    return true;
  }
}
