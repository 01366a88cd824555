/* Tasks, files and what joins them, out of the JSON of a workflow.  See workflow.c. */
#include <inttypes.h>
#include <string.h>

#include "core/memory.h"
#include "import/workflow_internal.h"
#include "io/json_parse.h"
#include "io/text.h"

/* Which task of the file is read, for messages: "tasks[3]". */
typedef struct place {
    hw_workflow *w;
    const char *list;
    size_t at;
    hw_error *err;
} place;

static hw_code fail(const place *p, const char *key, const char *what)
{
    return hw_fail(p->err, HW_BAD_INPUT, "%s: %s[%zu]%s%s: %s", p->w->path, p->list, p->at,
                   *key ? "." : "", key, what);
}

/* A string of an object; NULL where the key is not there; "" is no name. */
static hw_code string_of(const place *p, const json_t *object, const char *key, const char **out)
{
    const json_t *value = json_object_get(object, key);
    *out = NULL;
    if (!value || json_is_null(value))
        return HW_OK;
    if (!json_is_string(value))
        return hw_fail(p->err, HW_BAD_INPUT, "%s: %s[%zu].%s is %s: write a text", p->w->path,
                       p->list, p->at, key, hw_json_type(value));
    *out = json_string_length(value) ? json_string_value(value) : NULL;
    return HW_OK;
}

/* An array of an object, empty where the key is not there. */
static hw_code array_of(const place *p, const json_t *object, const char *key, const json_t **out)
{
    *out = json_object_get(object, key);
    if (!*out || json_is_null(*out))
        *out = NULL;
    else if (!json_is_array(*out))
        return hw_fail(p->err, HW_BAD_INPUT, "%s: %s[%zu].%s is %s: write a list", p->w->path,
                       p->list, p->at, key, hw_json_type(*out));
    return HW_OK;
}

static hw_code file_of(const place *p, const char *name, uint32_t *out)
{
    hw_workflow *w = p->w;
    bool added;
    *out = hw_names_add(&w->file_ids, name, strlen(name), &added);
    if (*out == UINT32_MAX ||
        !hw_grow((void **)&w->file, &w->file_room, *out + (size_t)1, sizeof *w->file))
        return hw_fail_memory(p->err, "the files of a workflow");
    if (added)
        w->file[*out] = (hw_wf_file){.reader = HW_NONE, .writer = HW_NONE, .raw = HW_NONE};
    return HW_OK;
}

/* The size that an object tells of a file, under "sizeInBytes" or, of old, "size". */
static hw_code read_size(const place *p, const json_t *object, uint32_t file, bool writes)
{
    const json_t *value = json_object_get(object, "sizeInBytes");
    hw_wf_file *f = &p->w->file[file];
    char text[HW_JSON_COMPLAINT];
    uint64_t size;
    if (!value)
        value = json_object_get(object, "size");
    if (!value || json_is_null(value))
        return HW_OK;
    if (!hw_json_u64(value, &size, text))
        return hw_fail(p->err, HW_BAD_INPUT, "%s: %s[%zu]: the size of a file %s", p->w->path,
                       p->list, p->at, text);
    p->w->n_unlike += f->has_size && f->size != size;
    /* who makes the file knows best; else the largest mention is on the safe side */
    if (!f->has_size || (writes && !f->written_size) ||
        (writes == f->written_size && f->size < size))
        f->size = size;
    f->has_size = true;
    f->written_size = f->written_size || writes;
    return HW_OK;
}

static hw_code add_link(const place *p, uint32_t file, bool writes)
{
    hw_workflow *w = p->w;
    uint32_t task = (uint32_t)p->at;
    uint32_t *last = writes ? &w->file[file].writer : &w->file[file].reader;
    if (*last == task)
        return HW_OK; /* a file that is named twice counts once */
    *last = task;
    if (w->n_links >= HW_NONE - 1 ||
        !hw_grow((void **)&w->link, &w->link_room, w->n_links + 1, sizeof *w->link))
        return hw_fail_memory(p->err, "the files of a workflow");
    w->link[w->n_links++] =
        (hw_wf_link){.task = task, .file = file, .tensor = HW_NONE, .writes = writes};
    return HW_OK;
}

/* inputFiles, outputFiles: names alone (schema 1.5 and later). */
static hw_code read_names(const place *p, const json_t *task, const char *key, bool writes)
{
    const json_t *list, *item;
    hw_code code = array_of(p, task, key, &list);
    size_t i;
    json_array_foreach(list, i, item)
    {
        uint32_t file;
        const char *name = json_string_value(item);
        if (!name || !*name)
            return fail(p, key, "a file is no text: write its id");
        code = file_of(p, name, &file);
        if (code == HW_OK)
            code = add_link(p, file, writes);
        if (code != HW_OK)
            break;
    }
    return code;
}

/* files: objects with a link (up to schema 1.4).  One pass for reads, one for writes. */
static hw_code read_objects(const place *p, const json_t *task, bool writes)
{
    const json_t *list, *item;
    hw_code code = array_of(p, task, "files", &list);
    size_t i;
    json_array_foreach(list, i, item)
    {
        const char *name = NULL, *link = NULL;
        uint32_t file;
        if (!json_is_object(item))
            return fail(p, "files", "a file is no object: write {\"link\": ..., \"name\": ...}");
        code = string_of(p, item, "name", &name);
        if (code == HW_OK && !name)
            code = string_of(p, item, "id", &name);
        if (code == HW_OK)
            code = string_of(p, item, "link", &link);
        if (code != HW_OK)
            return code;
        if (!name || !link)
            return fail(p, "files", "a file has no name or no link: both say what it is for");
        bool both = strcmp(link, "inout") == 0;
        if (!both && strcmp(link, "input") != 0 && strcmp(link, "output") != 0)
            return fail(p, "files", "a link is neither input nor output");
        if (!both && writes != (strcmp(link, "output") == 0))
            continue;
        code = file_of(p, name, &file);
        if (code == HW_OK)
            code = read_size(p, item, file, writes);
        if (code == HW_OK)
            code = add_link(p, file, writes);
        if (code != HW_OK)
            return code;
    }
    return code;
}

static hw_code read_relations(const place *p, const json_t *task, const char *key, bool parents)
{
    hw_workflow *w = p->w;
    const json_t *list, *item;
    hw_code code = array_of(p, task, key, &list);
    size_t i;
    json_array_foreach(list, i, item)
    {
        char quoted[HW_QUOTE_BYTES];
        const char *name = json_string_value(item);
        if (!name)
            return fail(p, key, "a task is no text: write its id");
        size_t length = strlen(name);
        uint32_t other = hw_names_find(&w->ids, name, length);
        if (other == UINT32_MAX)
            return hw_fail(p->err, HW_BAD_INPUT, "%s: %s[%zu].%s: there is no task '%s'", w->path,
                           p->list, p->at, key, hw_quote(name, length, quoted));
        if (other == p->at)
            return fail(p, key, "the task waits for itself: take it out of the list");
        if (!hw_grow((void **)&w->pair, &w->pair_room, w->n_pairs + 1, sizeof *w->pair))
            return hw_fail_memory(p->err, "the tasks of a workflow");
        w->pair[w->n_pairs++] =
            parents ? (hw_wf_pair){other, (uint32_t)p->at} : (hw_wf_pair){(uint32_t)p->at, other};
    }
    return code;
}

/* A name that serves as id, as in mProject_ID0000001, tells its type before the number. */
static size_t type_length(const char *name)
{
    size_t n = strlen(name), end = n;
    while (end > 0 && name[end - 1] >= '0' && name[end - 1] <= '9')
        end--;
    if (end == n)
        return n;
    if (end >= 2 && memcmp(name + end - 2, "ID", 2) == 0)
        end -= 2;
    return end >= 2 && name[end - 1] == '_' ? end - 1 : n;
}

/*
 * What a task is called: up to schema 1.4 relations go by its name, which is unique, later by its
 * id.
 */
static hw_code read_task(const place *p, const json_t *task)
{
    hw_workflow *w = p->w;
    const char *id = NULL, *name = NULL, *category = NULL;
    if (!json_is_object(task))
        return fail(p, "", "is no object: a task is {\"name\": ..., \"id\": ...}");
    hw_code code = string_of(p, task, "id", &id);
    if (code == HW_OK)
        code = string_of(p, task, "name", &name);
    if (code == HW_OK)
        code = string_of(p, task, "category", &category);
    if (code != HW_OK)
        return code;
    bool of_old = json_object_get(task, "files") != NULL;
    const char *key = of_old && name ? name : id ? id : name;
    if (!key)
        return fail(p, "", "has neither id nor name");
    bool added;
    uint32_t index = hw_names_add(&w->ids, key, strlen(key), &added);
    if (index == UINT32_MAX ||
        !hw_grow((void **)&w->task, &w->task_room, index + (size_t)1, sizeof *w->task))
        return hw_fail_memory(p->err, "the tasks of a workflow");
    char quoted[HW_QUOTE_BYTES];
    if (!added)
        return hw_fail(p->err, HW_BAD_INPUT,
                       "%s: %s[%zu]: the task '%s' is there already, as %s[%" PRIu32 "]: each has "
                       "a name of its own",
                       w->path, p->list, p->at, hw_quote(key, strlen(key), quoted), p->list, index);
    const char *op = category ? category : name ? name : key;
    bool serves = !category && strcmp(op, key) == 0;
    w->task[index] =
        (hw_wf_task){.name = key, .op = op, .op_length = serves ? type_length(op) : strlen(op)};
    return HW_OK;
}

static hw_code read_files(hw_workflow *w, const json_t *files, hw_error *err)
{
    place p = {.w = w, .list = "files", .err = err};
    const json_t *item;
    json_array_foreach(files, p.at, item)
    {
        const char *id = NULL;
        uint32_t file;
        if (!json_is_object(item))
            return fail(&p, "", "is no object: a file is {\"id\": ..., \"sizeInBytes\": ...}");
        hw_code code = string_of(&p, item, "id", &id);
        if (code == HW_OK && !id)
            code = string_of(&p, item, "name", &id);
        if (code != HW_OK)
            return code;
        if (!id)
            return fail(&p, "", "has no id");
        code = file_of(&p, id, &file);
        if (code == HW_OK)
            code = read_size(&p, item, file, false);
        if (code != HW_OK)
            return code;
    }
    return HW_OK;
}

static hw_code read_tasks(hw_workflow *w, const json_t *tasks, const char *list, hw_error *err)
{
    place p = {.w = w, .list = list, .err = err};
    const json_t *task;
    hw_code code = HW_OK;
    if (json_array_size(tasks) >= HW_NONE)
        return hw_fail(err, HW_BAD_INPUT, "%s: %s: more than 2^32 - 2 tasks", w->path, list);
    json_array_foreach(tasks, p.at, task)
    {
        code = read_task(&p, task);
        if (code != HW_OK)
            return code;
    }
    json_array_foreach(tasks, p.at, task)
    {
        for (int writes = 0; writes < 2 && code == HW_OK; writes++) {
            code = read_names(&p, task, writes ? "outputFiles" : "inputFiles", writes);
            if (code == HW_OK)
                code = read_objects(&p, task, writes);
        }
        if (code == HW_OK)
            code = read_relations(&p, task, "parents", true);
        if (code == HW_OK)
            code = read_relations(&p, task, "children", false);
        if (code != HW_OK)
            return code;
    }
    return HW_OK;
}

hw_code hw_workflow_read(hw_workflow *w, hw_error *err)
{
    const json_t *workflow = json_object_get(w->root, "workflow");
    const json_t *specification = json_object_get(workflow, "specification");
    const json_t *from = json_is_object(specification) ? specification : workflow;
    const char *list = "tasks";
    const json_t *tasks = json_object_get(from, list);
    w->name = json_string_value(json_object_get(w->root, "name"));
    w->version = json_string_value(json_object_get(w->root, "schemaVersion"));
    if (!tasks && json_object_get(from, "jobs")) {
        list = "jobs"; /* schemas before 1.2 */
        tasks = json_object_get(from, list);
    }
    if (!json_is_object(workflow) || !json_is_array(tasks))
        return hw_fail(err, HW_BAD_INPUT,
                       "%s: holds no workflow: WfCommons keeps its tasks in "
                       "workflow.specification.tasks, of old in workflow.tasks",
                       w->path);
    const json_t *files = json_object_get(from, "files");
    if (files && !json_is_null(files) && !json_is_array(files))
        return hw_fail(err, HW_BAD_INPUT, "%s: files is %s: write a list of files", w->path,
                       hw_json_type(files));
    hw_code code = read_files(w, files, err);
    return code == HW_OK ? read_tasks(w, tasks, list, err) : code;
}
