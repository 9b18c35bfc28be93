/** What reviews add to changed files. */
import type { DiffSlots } from "../diffs/slots.ts";
import { FileThreads } from "./file-threads.tsx";
import { GoneThreads } from "./gone-threads.tsx";
import { HeadThreads } from "./head-threads.tsx";
import { LinePicker } from "./line-picker.tsx";
import { useLineThreads } from "./line-threads.tsx";
import { useShownReview } from "./review-context.ts";
import { useIsViewed, useNotes } from "./use-notes.ts";
import { ShownChoice } from "./shown-choice.tsx";
import { ViewedBox } from "./viewed-box.tsx";

/** For the changes of one commit, whose lines are not those of the merge request. */
export const plainSlots: DiffSlots = {
  ofToolbar: () => <Choice />,
};

const shown: DiffSlots = {
  ...plainSlots,
  useFolded: ({ path }) => useIsViewed(path),
  aboveLines: (file, isShown) => <FileThreads path={file.path} isShown={isShown} />,
  useWantedLines: ({ path }) => useNotes(path).lines,
  useBelowLine: useLineThreads,
  afterFiles: (found) => <GoneThreads found={found} />,
};

/** For those who may not comment. */
export const threadSlots: DiffSlots = {
  ...shown,
  ofFile: ({ path }, setOpen) => (
    <>
      <HeadThreads {...{ path, setOpen }} mayComment={false} />
      <ViewedBox {...{ path, setOpen }} />
    </>
  ),
};

export const commentSlots: DiffSlots = {
  ...shown,
  ofFile: ({ path }, setOpen) => (
    <>
      <HeadThreads {...{ path, setOpen }} mayComment />
      <ViewedBox {...{ path, setOpen }} />
    </>
  ),
  Around: LinePicker,
};

function Choice() {
  return <ShownChoice mergeRequest={useShownReview().mergeRequest} />;
}
