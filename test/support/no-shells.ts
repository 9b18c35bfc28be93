/** For hubs of runners in tests where nobody opens a shell. */
import { AppError } from "../../server/platform/app-error.ts";

export const noShells = {
  wanted: async () => [],
  end: async () => undefined,
  onChange: () => () => undefined,
  runnerFor: async () => {
    throw new AppError("not_found");
  },
};
