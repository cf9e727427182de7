import { defineWords } from '../../kit/define-words.ts';

export const words = defineWords({
  en: {
    title: 'Sign in',
    subtitle: 'Operator console',
    username: 'Username',
    password: 'Password',
    showPassword: 'Show or hide the password',
    submit: 'Sign in',
    usernameMissing: 'Enter your username.',
    passwordMissing: 'Enter your password.',
    refused: 'Username or password is wrong.',
    throttled: (seconds: number) => `Too many attempts. Try again in ${seconds} s.`,
    capsLock: 'Caps Lock is on.',
    help: 'No access? Ask an administrator.',
  },
  'zh-TW': {
    title: '登入',
    subtitle: '營運管理後台',
    username: '使用者名稱',
    password: '密碼',
    showPassword: '顯示或隱藏密碼',
    submit: '登入',
    usernameMissing: '請輸入使用者名稱。',
    passwordMissing: '請輸入密碼。',
    refused: '使用者名稱或密碼錯誤。',
    throttled: (seconds: number) => `嘗試次數過多，請於 ${seconds} 秒後再試。`,
    capsLock: '大寫鎖定（Caps Lock）已開啟。',
    help: '沒有帳號？請洽管理員。',
  },
});
