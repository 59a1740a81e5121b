import type { Theme } from "vitepress";
import { withBase } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import Bench from "./Bench.vue";
import Demo from "./Demo.vue";
import Example from "./Example.vue";
import FunctionIndex from "./FunctionIndex.vue";
import Layout from "./Layout.vue";
import Playground from "./Playground.vue";
import "./style.css";

export default {
  extends: DefaultTheme,
  Layout,
  enhanceApp({ app }) {
    if (import.meta.env.PROD && typeof navigator !== "undefined" && "serviceWorker" in navigator)
      void navigator.serviceWorker.register(withBase("/worker.js"));
    app.component("Bench", Bench);
    app.component("Demo", Demo);
    app.component("Example", Example);
    app.component("FunctionIndex", FunctionIndex);
    app.component("Playground", Playground);
  },
} satisfies Theme;
