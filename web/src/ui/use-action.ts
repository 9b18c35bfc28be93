/** Changes by a button, beside which no failure could stand. */
import { showProblem } from "./toasts.tsx";
import { useChange, type ChangeOptions } from "./use-change.ts";

/** A failure is told by a short message, so that none is silent. */
export function useAction<Output>(
  act: () => Promise<Output>,
  options: ChangeOptions<Output> = {},
): { data: Output | undefined; isPending: boolean; start: () => void } {
  const { data, isPending, mutate } = useChange(act, options);
  return { data, isPending, start: () => mutate(undefined, { onError: showProblem }) };
}
