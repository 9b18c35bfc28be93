/** How a page shows changes that a text suggests, in blocks of code of the language `suggestion`. */
import { createContext, type ReactNode } from "react";

/** `index`: which one of the text, from 0. Undefined: as any other block of code. */
export type ShowSuggestion = (index: number, lines: string) => ReactNode | undefined;

export const SuggestionContext = createContext<ShowSuggestion | undefined>(undefined);
