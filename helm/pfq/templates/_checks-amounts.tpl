{{/* Requests that are more than their limits, which Kubernetes would refuse when migrations have run, as a list of lines. */}}
{{- define "pfq.problemsOfAmounts" -}}
{{- $problems := list }}
{{- $all := dict "migrations" .Values.migrations.resources }}
{{- range include "pfq.services" . | fromYaml | keys }}
{{- $_ := set $all (camelcase . | untitle) (include "pfq.settings" (list $ .) | fromYaml).resources }}
{{- end }}
{{- range $block, $resources := $all }}
{{- range $what, $limit := $resources.limits }}
{{- $request := get ($resources.requests | default dict) $what }}
{{- if and $request $limit (gt (include "pfq.amount" $request | float64) (include "pfq.amount" $limit | float64)) }}
{{- $problems = append $problems (printf "%s.resources.requests.%s, %v, is more than its limit, %v" $block $what $request $limit) }}
{{- end }}
{{- end }}
{{- end }}
{{- toYaml $problems }}
{{- end }}

{{/* Of a quantity such as 250m or 64Mi, as a number. */}}
{{- define "pfq.amount" -}}
{{- $units := dict "n" 1e-9 "u" 1e-6 "m" 1e-3 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "P" 1e15 "E" 1e18 "Ki" 1024.0 "Mi" 1048576.0 "Gi" 1073741824.0 "Ti" 1099511627776.0 "Pi" 1125899906842624.0 "Ei" 1152921504606846976.0 -}}
{{- $text := toString . -}}
{{- $unit := regexFind "[numkMGTPE]i?$" $text -}}
{{- mulf (trimSuffix $unit $text | float64) (get $units $unit | default 1.0) -}}
{{- end }}
