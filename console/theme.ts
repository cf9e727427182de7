import {
  ActionIcon,
  Badge,
  Button,
  Checkbox,
  type CSSVariablesResolver,
  createTheme,
  Menu,
  Modal,
  Paper,
  Tooltip,
} from '@mantine/core';

const sans =
  "'Noto Sans TC Variable', system-ui, -apple-system, 'Segoe UI', 'PingFang TC', 'Microsoft JhengHei', sans-serif";
const mono = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', 'Noto Sans TC Variable', monospace";

/** Lists open within the main landmark of the page, where assistive software looks for them. */
const withList = { size: 'xs', comboboxProps: { portalProps: { target: '#content' } } } as const;

/** A dense, calm design: small sizes, borders instead of shadows, one accent colour. */
export const theme = createTheme({
  primaryColor: 'sea',
  primaryShade: { light: 8, dark: 7 },
  autoContrast: true,
  colors: {
    sea: ['#eaf6f5', '#d2eae8', '#a7d8d4', '#78c5bf', '#52b5ae', '#33a39c', '#1c928b', '#0f7c76', '#0b6a66', '#075451'],
    gray: [
      '#f7f9fa',
      '#eff2f4',
      '#e3e8eb',
      '#d3dadf',
      '#b9c3ca',
      '#98a4ad',
      '#74818b',
      '#56626c',
      '#3a444d',
      '#20282e',
    ],
    dark: [
      '#d3dae0',
      '#b3bdc5',
      '#94a0aa',
      '#6b7781',
      '#4b5660',
      '#363f47',
      '#2a3239',
      '#1a1f24',
      '#14181c',
      '#0e1114',
    ],
  },
  fontFamily: sans,
  fontFamilyMonospace: mono,
  fontSizes: { xs: '12.5px', sm: '13.5px', md: '14px', lg: '16px', xl: '18px' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.5' },
  headings: {
    fontFamily: sans,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '1.3' },
      h2: { fontSize: '16px', lineHeight: '1.4' },
      h3: { fontSize: '14px', lineHeight: '1.4' },
    },
  },
  spacing: { xs: '6px', sm: '10px', md: '16px', lg: '20px', xl: '28px' },
  defaultRadius: 'sm',
  radius: { xs: '3px', sm: '5px', md: '8px', lg: '12px', xl: '20px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: 'subtle', color: 'gray' } }),
    Badge: Badge.extend({ defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 550 } }),
    Button: Button.extend({ defaultProps: { size: 'xs' } }),
    Checkbox: Checkbox.extend({ defaultProps: { size: 'xs' } }),
    Menu: Menu.extend({ defaultProps: { shadow: 'sm', position: 'bottom-end', withInitialFocusPlaceholder: false } }),
    Modal: Modal.extend({
      defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.45 } },
      styles: { title: { fontWeight: 600, fontSize: 16 } },
    }),
    // A <header> element in a dialog would be a second banner landmark.
    ModalHeader: { defaultProps: { component: 'div' } },
    Paper: Paper.extend({ defaultProps: { withBorder: true, radius: 'md' } }),
    Notification: { styles: { description: { color: 'var(--mantine-color-dimmed)' } } },
    Tooltip: Tooltip.extend({ defaultProps: { withArrow: true, openDelay: 300 } }),
    InputWrapper: {
      defaultProps: { size: 'xs' },
      styles: {
        label: { fontWeight: 500, marginBottom: 3 },
        error: { fontSize: 12.5, marginTop: 3 },
        description: { fontSize: 12.5 },
      },
    },
    TextInput: { defaultProps: { size: 'xs' } },
    Textarea: { defaultProps: { size: 'xs' } },
    PasswordInput: { defaultProps: { size: 'xs' } },
    NumberInput: { defaultProps: { size: 'xs' } },
    Select: { defaultProps: withList },
    MultiSelect: { defaultProps: withList },
    NativeSelect: { defaultProps: { size: 'xs' } },
    SegmentedControl: { defaultProps: { size: 'xs' } },
    Switch: { defaultProps: { size: 'xs' } },
  },
});

/** Mantine's default greys and reds for small text are below the contrast ratio of 4.5 that WCAG AA requires. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-text': '#1c2328',
    '--mantine-color-dimmed': '#56626c',
    '--mantine-color-placeholder': '#67737d',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-default-border': '#d3dadf',
    '--console-ground': '#f7f9fa',
    '--console-line': '#e3e8eb',
    '--console-hover': '#f1f6f6',
    '--console-chosen': '#e2f1f0',
  },
  dark: {
    '--mantine-color-text': '#d8dee3',
    '--mantine-color-dimmed': '#9aa6b0',
    '--mantine-color-placeholder': '#8895a0',
    '--mantine-color-error': '#ff9c94',
    '--mantine-color-default-border': '#3c464f',
    '--mantine-color-anchor': '#78c5bf',
    '--console-ground': '#14181c',
    '--console-line': '#2a3239',
    '--console-hover': '#20272d',
    '--console-chosen': '#17332f',
  },
});
