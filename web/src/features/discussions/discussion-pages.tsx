/** Which page of the board of a team an address means. Fetched when somebody first goes to one. */
import { useMemo } from "react";
import { NotFound } from "../../ui/not-found.tsx";
import { BoardContext } from "./board.ts";
import { DiscussionPage } from "./discussion-page.tsx";
import { DiscussionsPage } from "./discussions-page.tsx";
import { NewDiscussionPage } from "./new-discussion-page.tsx";

const maxNumber = 2_147_483_647;

/** `page`: what follows `discussions/` in the address. */
export function DiscussionPages({ org, team, page }: { org: string; team: string; page: string }) {
  const board = useMemo(() => ({ org, team }), [org, team]);
  return <BoardContext value={board}>{pageOf(page, `${org}/${team}`)}</BoardContext>;
}

function pageOf(page: string, board: string) {
  if (page === "") return <DiscussionsPage key={board} />;
  if (page === "new") return <NewDiscussionPage key={board} />;
  if (!/^[1-9]\d*$/.test(page) || Number(page) > maxNumber) return <NotFound />;
  // What was typed belongs to this discussion.
  return <DiscussionPage key={`${board} ${page}`} number={Number(page)} />;
}
