import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2023",
    // Data addresses would need their own permission in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      // Each page fetches the names of all that it may need later, so they are short.
      output: {
        // What most pages need lies in one file: fifty small ones compress worse, and each is a request of its own.
        codeSplitting: { groups: [{ name: "common", minShareCount: 30 }] },
        entryFileNames: "assets/[hash:7].js",
        chunkFileNames: "assets/[hash:7].js",
        assetFileNames: "assets/[name]-[hash:7][extname]",
      },
    },
  },
});
