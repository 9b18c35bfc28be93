/** Starts the interface. */
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { applyTheme, storedTheme } from "./app/theme.ts";
import "./styles/tokens.css";
import "./styles/base.css";

applyTheme(storedTheme());
const root = document.getElementById("root");
if (root) createRoot(root).render(<App />);
