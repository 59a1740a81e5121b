import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import Example from "./Example.vue";
import FunctionIndex from "./FunctionIndex.vue";
import Playground from "./Playground.vue";
import "./style.css";

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component("Example", Example);
    app.component("FunctionIndex", FunctionIndex);
    app.component("Playground", Playground);
  },
} satisfies Theme;
