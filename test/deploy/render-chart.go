// Renders the templates of a Helm chart with Go's text/template, as Helm does, where helm itself is not available.
// Usage: go run render-chart.go FOLDER < input.json, with the input {"Values": ..., "Chart": ..., "Release": ...}.
// Prints a JSON object with the text of each template. It knows only the functions that our chart uses.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"text/template"
)

func main() {
	input := map[string]any{}
	check(json.NewDecoder(os.Stdin).Decode(&input))
	files, err := filepath.Glob(filepath.Join(os.Args[1], "templates", "*"))
	check(err)
	all := template.New("chart").Option("missingkey=zero")
	all.Funcs(functions(all))
	for _, file := range files {
		text, err := os.ReadFile(file)
		check(err)
		_, err = all.New(filepath.Base(file)).Parse(string(text))
		check(err)
	}
	rendered := map[string]string{}
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var out bytes.Buffer
		check(all.ExecuteTemplate(&out, name, input))
		rendered[name] = out.String()
	}
	check(json.NewEncoder(os.Stdout).Encode(rendered))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func functions(all *template.Template) template.FuncMap {
	indent := func(count int, text string) string {
		spaces := strings.Repeat(" ", count)
		return spaces + strings.ReplaceAll(text, "\n", "\n"+spaces)
	}
	return template.FuncMap{
		"include": func(name string, data any) (string, error) {
			var out bytes.Buffer
			err := all.ExecuteTemplate(&out, name, data)
			return out.String(), err
		},
		"toYaml":     func(value any) string { return strings.TrimSuffix(toYaml(value, ""), "\n") },
		"nindent":    func(count int, text string) string { return "\n" + indent(count, text) },
		"quote":      func(value any) string { return strconv.Quote(fmt.Sprint(value)) },
		"default":    func(fallback, value any) any { return choose(isEmpty(value), fallback, value) },
		"required":   required,
		"contains":   func(part, text string) bool { return strings.Contains(text, part) },
		"trunc":      func(count int, text string) string { return text[:min(count, len(text))] },
		"trimSuffix": func(suffix, text string) string { return strings.TrimSuffix(text, suffix) },
		"list":       func(values ...any) []any { return values },
		"concat":     concat,
		"dict":       dict,
		"int":        func(value any) (int, error) { return strconv.Atoi(fmt.Sprint(value)) },
		"add":        func(a, b int) int { return a + b },
	}
}

func toYaml(value any, indent string) string {
	text := ""
	switch of := value.(type) {
	case map[string]any:
		keys := make([]string, 0, len(of))
		for key := range of {
			keys = append(keys, key)
		}
		sort.Strings(keys)
		for _, key := range keys {
			text += indent + strconv.Quote(key) + ":" + toYamlBelow(of[key], indent)
		}
	case []any:
		for _, item := range of {
			text += indent + "-" + toYamlBelow(item, indent)
		}
	default:
		scalar, err := json.Marshal(value)
		check(err)
		text = indent + string(scalar) + "\n"
	}
	return text
}

func toYamlBelow(value any, indent string) string {
	kind := reflect.ValueOf(value).Kind()
	if (kind == reflect.Map || kind == reflect.Slice) && reflect.ValueOf(value).Len() > 0 {
		return "\n" + toYaml(value, indent+"  ")
	}
	scalar, err := json.Marshal(value)
	check(err)
	return " " + string(scalar) + "\n"
}

func isEmpty(value any) bool {
	return value == nil || reflect.ValueOf(value).IsZero()
}

func choose(condition bool, yes, no any) any {
	if condition {
		return yes
	}
	return no
}

func min(a, b int) int {
	if a < b {
		return a
	}
	return b
}

func required(message string, value any) (any, error) {
	if isEmpty(value) {
		return nil, errors.New(message)
	}
	return value, nil
}

func concat(lists ...[]any) []any {
	all := []any{}
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

func dict(pairs ...any) map[string]any {
	made := map[string]any{}
	for index := 0; index < len(pairs); index += 2 {
		made[pairs[index].(string)] = pairs[index+1]
	}
	return made
}
